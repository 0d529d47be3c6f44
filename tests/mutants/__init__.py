"""Mutation testing of the rules: which small changes of the code would no test notice?"""
