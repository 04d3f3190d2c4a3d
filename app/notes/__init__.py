"""Notes: read, written, moved, thrown away, and taken back; `app.notes.tools` has the tool for agents."""
