//! The built command on temporary projects. One application is generated, built and asked, for all tests together:
//! its dependencies are compiled once, into a folder that outlives the run.

mod ask;
mod check;
mod make;
mod new;
mod servers;
mod shop;
mod tutorial;
mod words;
