"""What an agent should know of a vault before it searches, told by the index and without a model."""
