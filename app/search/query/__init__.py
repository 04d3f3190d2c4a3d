"""What people type, read exactly."""
