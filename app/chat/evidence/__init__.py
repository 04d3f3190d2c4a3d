"""What the notes hold on a question: gathered by searching, read, and quoted as it stands."""
