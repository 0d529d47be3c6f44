"""Tables at work: one runner a table, and the registry of those in memory."""
