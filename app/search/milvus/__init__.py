"""Milvus as the engine of an index: for what one machine cannot hold."""
