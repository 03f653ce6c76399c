//! The reference service.
