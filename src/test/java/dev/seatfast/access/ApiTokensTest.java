package dev.seatfast.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.seatfast.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ApiTokensTest {

  @Inject ApiTokens tokens;
  @Inject Audit audit;
  @Inject Database database;

  private final String tenant = "tenant-" + UUID.randomUUID();

  @Test
  void aTokenThatWasMadeIsFoundWithAllItAllows() {
    ApiTokens.Created made = create(Optional.empty(), Scope.RESERVE, Scope.HOLD);
    Caller found = find(made.text()).orElseThrow().caller();
    assertEquals("token:" + made.token().id(), found.name());
    assertEquals(Optional.of(tenant), found.tenant());
    assertEquals(Set.of(Scope.RESERVE, Scope.HOLD), found.scopes());
  }

  @Test
  void onlyAHashOfATokenIsKept() {
    ApiTokens.Created made = create(Optional.empty(), Scope.RESERVE);
    String kept =
        database.one(
            "SELECT t::text || (SELECT string_agg(a::text, '') FROM {schema}.audit_entry a)"
                + " FROM {schema}.api_token t WHERE token_id = ?",
            parameters -> parameters.add(made.token().id()),
            row -> row.getString(1));
    assertTrue(kept.contains(made.token().id()));
    assertFalse(kept.contains(made.text().substring(16)));
    assertFalse(made.toString().contains(made.text()));
  }

  @Test
  void aTokenWithTheRightIdAndAnotherSecretIsNotFound() {
    ApiTokens.Created made = create(Optional.empty(), Scope.RESERVE);
    assertEquals(Optional.empty(), tokens.find(new TokenText(made.token().id(), Sha256.of("x"))));
  }

  @Test
  void aTokenThatIsExpiredOrRevokedIsNotFound() {
    ApiTokens.Created expired = create(Optional.of(Instant.now().minusSeconds(1)), Scope.RESERVE);
    assertEquals(Optional.empty(), find(expired.text()));
    ApiTokens.Created revoked = create(Optional.of(Instant.now().plusSeconds(3600)), Scope.RESERVE);
    assertTrue(find(revoked.text()).orElseThrow().left().isPresent());
    tokens.revoke(Caller.OPERATOR, revoked.token().id());
    assertEquals(Optional.empty(), find(revoked.text()));
  }

  @Test
  void revokingTwiceKeepsTheFirstTimeAndUnknownTokensAreNotThere() {
    String id = create(Optional.empty(), Scope.RESERVE).token().id();
    ApiToken first = tokens.revoke(Caller.OPERATOR, id).orElseThrow();
    assertEquals(first, tokens.revoke(Caller.OPERATOR, id).orElseThrow());
    assertEquals(Optional.empty(), tokens.revoke(Caller.OPERATOR, "nobody"));
  }

  @Test
  void aCallerMakesListsAndRevokesWithinItsOwnTenantAndScopesOnly() {
    Caller manager =
        new Caller(
            "token:manager",
            Optional.of(tenant),
            Optional.empty(),
            Set.of(Scope.TOKENS, Scope.RESERVE));
    assertTrue(tokens.create(manager, grant(tenant, Scope.RESERVE)).isPresent());
    assertTrue(tokens.create(manager, grant(tenant, Scope.OPERATE)).isEmpty());
    assertTrue(tokens.create(manager, grant(tenant, Scope.ANY_TENANT)).isEmpty());
    assertTrue(tokens.create(manager, grant("another", Scope.RESERVE)).isEmpty());
    assertTrue(tokens.create(manager, grant(null, Scope.RESERVE)).isEmpty());
    assertEquals(1, tokens.page(manager, "", 100).size());

    ApiTokens.Created others =
        tokens.create(Caller.OPERATOR, grant("another", Scope.RESERVE)).orElseThrow();
    assertEquals(Optional.empty(), tokens.revoke(manager, others.token().id()));
    assertTrue(find(others.text()).isPresent());
  }

  @Test
  void aCallerThatActsForOneUserMakesNoTokenForAnother() {
    Caller one =
        new Caller(
            "user:one", Optional.of(tenant), Optional.of("one"), Set.of(Scope.TOKENS, Scope.HOLD));
    assertTrue(tokens.create(one, grant(tenant, Scope.HOLD)).isEmpty());
    assertTrue(
        tokens
            .create(
                one,
                new ApiToken.Grant(
                    Optional.of(tenant),
                    Optional.of("one"),
                    Set.of(Scope.HOLD),
                    Optional.empty(),
                    ""))
            .isPresent());
  }

  @Test
  void everyTokenIsListedOnceOverThePages() {
    Caller caller =
        new Caller("token:x", Optional.of(tenant), Optional.empty(), Set.of(Scope.TOKENS));
    for (int i = 0; i < 5; i++) {
      create(Optional.empty(), Scope.RESERVE);
    }
    List<ApiToken> first = tokens.page(caller, "", 3);
    List<ApiToken> second = tokens.page(caller, first.get(2).id(), 3);
    assertEquals(3, first.size());
    assertEquals(2, second.size());
  }

  @Test
  void makingAndRevokingLeaveEntriesThatSayWhoAndWhat() {
    String id = create(Optional.empty(), Scope.RESERVE).token().id();
    tokens.revoke(Caller.OPERATOR, id);
    tokens.revoke(Caller.OPERATOR, id); // changes nothing, and leaves none
    List<Audit.Entry> entries =
        audit.page(Optional.empty(), 1000).stream().filter(e -> e.target().equals(id)).toList();
    assertEquals(
        List.of("TOKEN_REVOKED", "TOKEN_CREATED"),
        entries.stream().map(Audit.Entry::action).toList());
    assertEquals("internal-token", entries.get(0).actor());
    String described = "tenant %s, user any, scopes reserve, expires never".formatted(tenant);
    assertEquals(described, entries.get(0).before());
    assertEquals(null, entries.get(0).after());
    assertEquals(described, entries.get(1).after());
  }

  @Test
  void anEntryThatCannotBeWrittenUndoesTheChange() {
    Caller unnamed =
        new Caller(
            "x".repeat(161), Optional.of(tenant), Optional.empty(), Caller.OPERATOR.scopes());
    assertThrows(
        RuntimeException.class, () -> tokens.create(unnamed, grant(tenant, Scope.RESERVE)));
    long made =
        database.one(
            "SELECT count(*) FROM {schema}.api_token WHERE tenant = ?",
            parameters -> parameters.add(tenant),
            row -> row.getLong(1));
    assertEquals(0, made);
  }

  @Test
  void thePagesOfTheAuditShowEveryEntryOnceTheNewestFirst() {
    for (int i = 0; i < 4; i++) {
      create(Optional.empty(), Scope.RESERVE);
    }
    List<Audit.Entry> all = audit.page(Optional.empty(), 4);
    Audit.Entry second = all.get(1);
    List<Audit.Entry> rest =
        audit.page(Optional.of(new Audit.Position(second.occurredAt(), second.id())), 2);
    assertEquals(all.subList(2, 4), rest);
    assertFalse(all.get(0).occurredAt().isBefore(all.get(3).occurredAt()));
  }

  private ApiTokens.Created create(Optional<Instant> expires, Scope... scopes) {
    return tokens
        .create(
            Caller.OPERATOR,
            new ApiToken.Grant(
                Optional.of(tenant), Optional.empty(), Set.of(scopes), expires, "for a test"))
        .orElseThrow();
  }

  private static ApiToken.Grant grant(String tenant, Scope... scopes) {
    return new ApiToken.Grant(
        Optional.ofNullable(tenant), Optional.empty(), Set.of(scopes), Optional.empty(), "");
  }

  private Optional<ApiTokens.Valid> find(String text) {
    return tokens.find(TokenText.parse(text).orElseThrow());
  }
}
