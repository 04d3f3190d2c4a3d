"""What other programs build on: a vault with async methods, and its tools for agents."""
