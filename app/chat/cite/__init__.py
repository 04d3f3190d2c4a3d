"""Citations: what an answer says about where something stands, and whether that is so."""
