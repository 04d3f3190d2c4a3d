"""The wordings of everything that is said to a person, in English and in French: one row a kind."""
