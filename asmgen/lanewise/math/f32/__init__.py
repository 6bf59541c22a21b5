"""Expansions of f32."""
