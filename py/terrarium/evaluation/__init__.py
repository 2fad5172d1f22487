"""Measuring the engine: ranking metrics, evaluation sets, reports stage by stage. For the desk only."""
