"""Notes: read, written, moved, thrown away, and taken back."""
