package io.quarkus.smallrye.openapi.runtime;

import io.quarkus.arc.Unremovable;
import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.smallrye.openapi.OpenApiFilter.RunStage;
import io.quarkus.smallrye.openapi.runtime.filter.AutoSecurityFilter;
import io.smallrye.openapi.runtime.io.Format;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts the description of the service together when somebody asks for it. Quarkus 3.31 began to do
 * that at every start, which none of our requests needs (issue 54826 of Quarkus). Its later
 * versions wait as well: remove this with the first of them.
 *
 * <p>It is in this package because what it overrides is visible in no other. In production only:
 * elsewhere Quarkus loads its own classes and ours apart, and then even here it is not visible.
 */
@IfBuildProfile("prod")
@Alternative
@Priority(1)
@Singleton
@Unremovable
public class OpenApiWhenAsked extends OpenApiDocumentService {

  private final Map<String, Runnable> preparations = new ConcurrentHashMap<>();

  @Override
  void prepareDocument(
      AutoSecurityFilter security, Map<RunStage, List<String>> filters, String document) {
    preparations.put(document, () -> super.prepareDocument(security, filters, document));
  }

  /** One at a time: what is prepared is kept in a map that knows no threads. */
  @Override
  public synchronized byte[] getDocument(String document, Format format) {
    Runnable preparation = preparations.remove(document);
    if (preparation != null) {
      preparation.run();
    }
    return super.getDocument(document, format);
  }
}
