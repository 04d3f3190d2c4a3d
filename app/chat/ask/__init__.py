"""Ask the vault: an agent that searches, reads and looks around, then names the notes that answer."""
