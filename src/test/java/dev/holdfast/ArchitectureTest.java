package dev.holdfast;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Dependencies point one way, towards the engine. */
class ArchitectureTest {

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.holdfast");

  @Test
  void everyFeatureMayUseTheEngineAndTheEngineUsesNone() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("main")
        .definedBy("dev.holdfast")
        .layer("administration")
        .definedBy("dev.holdfast.administration..")
        .layer("workshops")
        .definedBy("dev.holdfast.workshops..")
        .layer("slots")
        .definedBy("dev.holdfast.slots..")
        .layer("holds")
        .definedBy("dev.holdfast.holds..")
        .layer("namespace")
        .definedBy("dev.holdfast.namespace..")
        .layer("platform")
        .definedBy("dev.holdfast.platform..")
        .layer("engine")
        .definedBy("dev.holdfast.engine..")
        .whereLayer("main")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("administration")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("workshops")
        .mayOnlyBeAccessedByLayers("administration")
        .whereLayer("namespace")
        .mayOnlyBeAccessedByLayers("main")
        .whereLayer("slots")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("holds")
        .mayOnlyBeAccessedByLayers("workshops", "slots")
        .whereLayer("platform")
        .mayOnlyBeAccessedByLayers("main", "administration", "workshops", "slots", "holds")
        .check(classes);
  }

  @Test
  void noDecisionAsksThisProcessForTheTime() {
    noClasses()
        .that()
        .resideInAPackage("dev.holdfast.engine..")
        .should()
        .callMethodWhere(
            target(
                    name("now")
                        .or(name("currentTimeMillis"))
                        .or(name("systemUTC"))
                        .or(name("instant")))
                .and(target(owner(resideInAPackage("java..")))))
        .because("a clock that is wrong must change nothing: the database's decides")
        .check(classes);
  }

  @Test
  void noPackagesDependOnEachOtherInACircle() {
    slices().matching("dev.holdfast.(*)..").should().beFreeOfCycles().check(classes);
  }
}
