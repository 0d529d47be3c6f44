"""Livebutton: where the dealer button and the blinds go next, at every table, live."""
