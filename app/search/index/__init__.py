"""From the notes of a vault to an index of them, and to a snapshot that searches read."""
