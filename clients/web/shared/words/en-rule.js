/** What stands round the text of a rule, in English. */
export default {
  rule_alternates: "Where houses differ",
  rule_example: "For example",
  close_rule: "Close",
};
