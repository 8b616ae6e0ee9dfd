//! Tests of whole ticks.
