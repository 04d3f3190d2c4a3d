"""The assistant that answers without a language model."""
