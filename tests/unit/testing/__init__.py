"""Tests of the helpers for users' own tests."""
