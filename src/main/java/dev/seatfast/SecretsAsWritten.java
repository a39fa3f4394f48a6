package dev.seatfast;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.Expressions;
import io.smallrye.config.Priorities;
import jakarta.annotation.Priority;
import java.util.List;

/**
 * Leaves secrets as they are written. In other settings <code>${name}</code> stands for another
 * setting and <code>$$</code> for one dollar sign, which changes a password that happens to have
 * dollar signs.
 */
@Priority(Priorities.APPLICATION)
public final class SecretsAsWritten implements ConfigSourceInterceptor {

  private static final long serialVersionUID = 1;

  /** How the names of settings end whose values are secrets, or beside which a secret stands. */
  private static final List<String> ENDINGS = List.of("password", "-token", "secret", "username");

  @Override
  public ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
    return isSecret(name)
        ? Expressions.withoutExpansion(() -> context.proceed(name))
        : context.proceed(name);
  }

  private static boolean isSecret(String name) {
    return ENDINGS.stream().anyMatch(name::endsWith);
  }
}
