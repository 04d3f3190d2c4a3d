"""What stood in notes before each write: kept, so that a write can be taken back or settled after a crash."""
