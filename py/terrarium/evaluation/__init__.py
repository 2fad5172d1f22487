"""Measuring the engine, in the tab as at the desk: questions, ranking metrics, scores of answers, what they come to."""
