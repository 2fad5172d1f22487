"""Prompt → text: a causal language model read and written step by step, as quickly as that goes."""
