"""A package that programs import in vain."""
