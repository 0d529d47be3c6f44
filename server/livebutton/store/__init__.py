"""What must outlive a process: the only package that speaks to Redis (or Valkey)."""
