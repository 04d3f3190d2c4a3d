"""Language models: by name, on demand, and with failures a person can read."""
