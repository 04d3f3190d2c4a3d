"""The host's own package, which happens to be called `app`."""
