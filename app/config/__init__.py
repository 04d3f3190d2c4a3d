"""What the person has set: the settings, the file they come from, and whose word it is."""
