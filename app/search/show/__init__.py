"""What was found, as values, as text for models and as text for people."""
