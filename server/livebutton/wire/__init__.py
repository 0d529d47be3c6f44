"""The wire, version 1: its messages, their two codecs, and the codes that say what to do next."""
