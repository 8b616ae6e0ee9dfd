//! A canvas as a picture, for tests and documents.
