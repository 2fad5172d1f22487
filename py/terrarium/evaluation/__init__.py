"""Measuring the engine: ranking metrics, question sets, reports stage by stage."""

from terrarium.evaluation.questions import Question, load_questions
from terrarium.evaluation.report import Report, evaluate_retrieval

__all__ = ["Question", "Report", "evaluate_retrieval", "load_questions"]
