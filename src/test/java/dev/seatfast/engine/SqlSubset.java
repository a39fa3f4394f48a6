package dev.seatfast.engine;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The part of PostgreSQL's SQL that poolers in transaction mode and distributed engines also run,
 * as rules that name what leaves it. They work on words, not on a parse tree: good enough for SQL
 * that its authors mean to keep inside, and strict where in doubt.
 */
final class SqlSubset {

  /** What is not allowed, each with the reason. */
  enum Rule {
    SEQUENCE("a sequence is a counter that all nodes share"),
    TRIGGER(
        "a trigger is work that the statement doesn't show, and few distributed engines run it"),
    ADVISORY_LOCK("an advisory lock holds on one node only, and outlives a pooled transaction"),
    SESSION_STATE("behind a pooler the next transaction may have another session"),
    UNQUALIFIED_NAME("a pooled session may have any search path"),
    KEY_WITHOUT_POOL("what is unique must be so within one node, where a pool's rows are"),
    MANY_POOLS_CHANGED("a change that does not name one pool by its key runs on every node"),
    MANY_POOLS_LOCKED("locks of rows of several pools are refused by Citus, and can deadlock");

    final String reason;

    Rule(String reason) {
      this.reason = reason;
    }
  }

  /** The tables whose rows belong to one pool each. */
  private static final Set<String> POOL_TABLES =
      Set.of("seat_pool", "reservation_attempt", "rejection_tally", "pool_event");

  private static final String POOL_TABLE =
      "(?:[\\w$%{}:\"]+\\.)?\\b(?:" + String.join("|", POOL_TABLES) + ")\\b";

  private static final Pattern SEQUENCES =
      pattern(
          "\\b(?:small|big)?serial[248]?\\b|\\bidentity\\b|\\bsequence\\b"
              + "|\\b(?:nextval|currval|setval|lastval)\\s*\\(");

  private static final Pattern TRIGGERS =
      pattern("\\bcreate\\b[^;]{0,40}\\btrigger\\b|\\breturns\\s+(?:event_)?trigger\\b");

  private static final Pattern ADVISORY_LOCKS = pattern("\\bpg_(?:try_)?advisory_\\w+");

  /** Where a statement can begin, also in a function's body. */
  private static final String BEGINS = "(?:^|;|\\$\\$|\\bbegin|\\bthen|\\belse|\\bloop)\\s*";

  private static final Pattern SESSION_STATE =
      pattern(
          BEGINS
              + "(?:set\\s+(?!local\\b|transaction\\b|constraints\\b)"
              + "|(?:listen|unlisten|notify|prepare|deallocate|discard|reset|load)\\b)"
              + "|\\bcreate\\s+(?:(?:local|global)\\s+)?temp(?:orary)?\\b"
              + "|\\binto\\s+temp(?:orary)?\\b|\\bpg_temp\\b|\\bpg_notify\\s*\\("
              + "|\\bset_config\\s*\\([^()]*,\\s*false\\s*\\)|\\bwith\\s+hold\\b");

  private static final Pattern POOL_DEFINITION =
      pattern(
          "\\b(?:create\\s+table|alter\\s+table|create\\s+unique\\s+index)\\b[^;]*?"
              + POOL_TABLE
              + "[^;]*");

  /** A primary key or unique constraint, of columns or beside one, or a unique index. */
  private static final Pattern KEY_OF_SOMETHING_ELSE =
      pattern(
          "\\b(?:primary\\s+key|unique)\\s*+(?:\\(\\s*+(?!pool_key\\b)|(?!\\(|index\\b))"
              + "|\\bunique\\s+index\\b[^(]*\\(\\s*+(?!pool_key\\b)");

  private static final Pattern CHANGE =
      pattern("(?:\\bupdate|\\bdelete\\s+from)\\s+(?:only\\s+)?" + POOL_TABLE);

  private static final Pattern ROW_LOCK =
      pattern("\\bfor\\s+(?:no\\s+key\\s+)?(?:update|share)\\b");

  private static final Pattern WHERE =
      pattern("\\bwhere\\b(.*?)(?:\\b(?:returning|group|order|limit|for)\\b.*)?$");

  private static final Pattern ONE_POOL =
      pattern("(?:^|\\band)\\s+(?:\\w+\\.)?pool_key\\s*=\\s*(?:p_pool_key|\\?)\\s*(?:and\\b|$)");

  private final Set<String> tables;
  private final Set<String> functions;
  private final Pattern ourNames;

  /** Knows the tables and functions that the migrations make. */
  SqlSubset(List<Sql> migrations) {
    tables = made("table", migrations);
    functions = made("function", migrations);
    ourNames =
        pattern(
            "\\b(?:%s)\\b|\\b(?:%s)\\s*\\("
                .formatted(String.join("|", tables), String.join("|", functions)));
  }

  private static Set<String> made(String kind, List<Sql> migrations) {
    Pattern creation =
        pattern("\\bcreate\\s+(?:or\\s+replace\\s+)?" + kind + "\\s+(?:[^\\s(]*\\.)?(\\w+)");
    return migrations.stream()
        .flatMap(migration -> creation.matcher(migration.code()).results())
        .map(made -> made.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  Set<String> tables() {
    return tables;
  }

  Set<String> functions() {
    return functions;
  }

  /** The rules that this SQL breaks. */
  Set<Rule> brokenBy(Sql sql) {
    String code = sql.code();
    Set<Rule> broken = EnumSet.noneOf(Rule.class);
    add(broken, Rule.SEQUENCE, SEQUENCES.matcher(code).find());
    add(broken, Rule.TRIGGER, TRIGGERS.matcher(code).find());
    add(broken, Rule.SESSION_STATE, SESSION_STATE.matcher(code).find());
    add(broken, Rule.UNQUALIFIED_NAME, hasUnqualifiedName(sql));
    add(broken, Rule.KEY_WITHOUT_POOL, hasKeyWithoutPool(code));
    if (!sql.administration()) {
      add(broken, Rule.ADVISORY_LOCK, ADVISORY_LOCKS.matcher(code).find());
      add(broken, Rule.MANY_POOLS_CHANGED, changesManyPools(code));
      add(broken, Rule.MANY_POOLS_LOCKED, locksManyPools(code));
    }
    return broken;
  }

  private static void add(Set<Rule> broken, Rule rule, boolean isBroken) {
    if (isBroken) {
      broken.add(rule);
    }
  }

  private boolean hasUnqualifiedName(Sql sql) {
    return ourNames
        .matcher(sql.code())
        .results()
        .anyMatch(name -> !sql.code().substring(0, name.start()).endsWith(sql.schema()));
  }

  private static boolean hasKeyWithoutPool(String code) {
    return POOL_DEFINITION
        .matcher(code)
        .results()
        .anyMatch(definition -> KEY_OF_SOMETHING_ELSE.matcher(definition.group()).find());
  }

  private static boolean changesManyPools(String code) {
    return CHANGE
        .matcher(code)
        .results()
        .anyMatch(
            change ->
                !namesOnePool(
                    flat(code.substring(change.start(), endOfStatement(code, change.end())))));
  }

  private static boolean locksManyPools(String code) {
    return ROW_LOCK.matcher(code).results().anyMatch(lock -> locksManyPools(code, lock));
  }

  private static boolean locksManyPools(String code, MatchResult lock) {
    String before = flat(code.substring(startOfStatement(code, lock.start()), lock.start()));
    Matcher query = pattern(".*\\b((?:select|perform)\\b.*)").matcher(before);
    String statement = query.matches() ? query.group(1) : before;
    return pattern(POOL_TABLE).matcher(statement).find() && !namesOnePool(statement);
  }

  /** Only a plain conjunction counts: an OR beside the key could let other pools in. */
  private static boolean namesOnePool(String flatStatement) {
    Matcher where = WHERE.matcher(flatStatement);
    if (!where.find()) {
      return false;
    }
    String condition = where.group(1);
    return ONE_POOL.matcher(condition).find() && !pattern("\\bor\\b").matcher(condition).find();
  }

  /**
   * With nothing left between parentheses, so that a subquery's condition is not taken for ours.
   */
  private static String flat(String code) {
    String flat = code;
    for (String before = null; !flat.equals(before); ) {
      before = flat;
      flat = flat.replaceAll("\\([^()]*\\)", "<>");
    }
    return flat.strip();
  }

  private static int endOfStatement(String code, int from) {
    int depth = 0;
    for (int i = from; i < code.length(); i++) {
      char c = code.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth < 0 || (depth == 0 && c == ';')) {
        return i;
      }
    }
    return code.length();
  }

  private static int startOfStatement(String code, int from) {
    int depth = 0;
    for (int i = from - 1; i >= 0; i--) {
      char c = code.charAt(i);
      depth += c == ')' ? 1 : c == '(' ? -1 : 0;
      if (depth < 0 || (depth == 0 && c == ';')) {
        return i + 1;
      }
    }
    return 0;
  }

  private static Pattern pattern(String regex) {
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }
}
