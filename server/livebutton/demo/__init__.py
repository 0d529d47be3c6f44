"""A room of tables that plays itself: real sessions replayed, and players who are bots."""
