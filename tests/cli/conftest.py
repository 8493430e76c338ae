from tests.support.browser import browser, visitor

__all__ = ["browser", "visitor"]
