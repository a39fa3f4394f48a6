/**
 * The program's main method and how it decides to start. It may use every other package; no other
 * package may use it.
 */
package dev.seatfast;
