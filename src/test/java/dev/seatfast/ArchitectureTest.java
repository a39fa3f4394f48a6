package dev.seatfast;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Dependencies point one way, towards the engine. */
class ArchitectureTest {

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.seatfast");

  @Test
  void theArrowsBetweenRoomsPointTowardsTheDatabase() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("main")
        .definedBy("dev.seatfast")
        .layer("operators")
        .definedBy("dev.seatfast.operators..")
        .layer("description")
        .definedBy("dev.seatfast.description..")
        .layer("workshops")
        .definedBy("dev.seatfast.workshops..")
        .layer("slots")
        .definedBy("dev.seatfast.slots..")
        .layer("holds")
        .definedBy("dev.seatfast.holds..")
        .layer("access")
        .definedBy("dev.seatfast.access..")
        .layer("login")
        .definedBy("dev.seatfast.login..")
        .layer("namespace")
        .definedBy("dev.seatfast.namespace..")
        .layer("http")
        .definedBy("dev.seatfast.http..")
        .layer("embedded")
        .definedBy("dev.seatfast.embedded..")
        .layer("engine")
        .definedBy("dev.seatfast.engine..")
        .layer("database")
        .definedBy("dev.seatfast.database..")
        .whereLayer("main")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("description")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("operators")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("slots")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("workshops")
        .mayOnlyBeAccessedByLayers("operators")
        .whereLayer("holds")
        .mayOnlyBeAccessedByLayers("workshops", "slots")
        .whereLayer("login")
        .mayOnlyBeAccessedByLayers("main")
        .whereLayer("login")
        .mayNotAccessAnyLayer()
        .whereLayer("namespace")
        .mayOnlyBeAccessedByLayers("main")
        .whereLayer("embedded")
        .mayOnlyBeAccessedByLayers("main")
        .whereLayer("access")
        .mayOnlyBeAccessedByLayers(
            "main", "description", "operators", "workshops", "slots", "holds")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers(
            "main", "access", "description", "operators", "workshops", "slots", "holds")
        .whereLayer("engine")
        .mayOnlyBeAccessedByLayers("main", "operators", "workshops", "slots", "holds", "http")
        .check(classes);
  }

  @Test
  void noDecisionAsksThisProcessForTheTime() {
    noClasses()
        .that()
        .resideInAPackage("dev.seatfast.engine..")
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
  void nothingOfOursIsInAPackageOfOthers() {
    classes()
        .should()
        .resideInAPackage("dev.seatfast..")
        .check(new ClassFileImporter().importPath(Path.of("target", "classes")));
  }

  @Test
  void oneClassAloneTellsQuarkusHowToStart() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(StartSettings.class)
        .should()
        .accessTargetWhere(
            targetOwner(type(System.class))
                .and(JavaAccess.Predicates.target(nameMatching("(set|clear)Propert(y|ies)"))))
        .because("how a process starts has to be read, and tested, in one place")
        .check(classes);
  }

  @Test
  void noPackagesDependOnEachOtherInACircle() {
    slices().matching("dev.seatfast.(*)..").should().beFreeOfCycles().check(classes);
  }
}
