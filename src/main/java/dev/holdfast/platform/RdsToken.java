package dev.holdfast.platform;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * The short-lived password of an RDS database with IAM authentication: a signed request to connect,
 * made here without asking anybody. See "IAM database authentication" in the guide of Amazon RDS.
 */
final class RdsToken {

  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(15); // the longest RDS takes

  private RdsToken() {}

  /**
   * A token with the credentials that Lambda, and others, put in the environment.
   *
   * @throws IllegalStateException if there are none
   */
  static String of(String jdbcUrl, String user, String region) {
    return of(jdbcUrl, user, region, System.getenv(), Clock.systemUTC());
  }

  static String of(
      String jdbcUrl, String user, String region, Map<String, String> environment, Clock clock) {
    Properties url = Driver.parseURL(jdbcUrl, new Properties());
    SdkHttpRequest connect =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .protocol("https")
            .host(PGProperty.PG_HOST.getOrDefault(url))
            .port(Integer.parseInt(PGProperty.PG_PORT.getOrDefault(url)))
            .encodedPath("/")
            .putRawQueryParameter("Action", "connect")
            .putRawQueryParameter("DBUser", user)
            .build();
    String signed =
        AwsV4HttpSigner.create()
            .sign(
                request ->
                    request
                        .identity(identity(environment))
                        .request(connect)
                        .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "rds-db")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(AwsV4FamilyHttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                        .putProperty(AwsV4FamilyHttpSigner.EXPIRATION_DURATION, TIME_TO_LIVE)
                        .putProperty(HttpSigner.SIGNING_CLOCK, clock))
            .request()
            .getUri()
            .toString();
    return signed.substring("https://".length());
  }

  private static AwsCredentialsIdentity identity(Map<String, String> environment) {
    String key = required(environment, "AWS_ACCESS_KEY_ID");
    String secret = required(environment, "AWS_SECRET_ACCESS_KEY");
    return Optional.ofNullable(environment.get("AWS_SESSION_TOKEN"))
        .<AwsCredentialsIdentity>map(
            token -> AwsSessionCredentialsIdentity.create(key, secret, token))
        .orElseGet(() -> AwsCredentialsIdentity.create(key, secret));
  }

  private static String required(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name))
        .orElseThrow(() -> new IllegalStateException(name + " is not set"));
  }
}
