// Functions of JavaScript for a component: the interface that it imports.
class Callback {
  constructor(call) {
    this.call = call;
  }
}
export class Callback1 extends Callback {}
export class Callback13 extends Callback {}
export class Callback14 extends Callback {}
export class Callback19 extends Callback {}
export class Callback21 extends Callback {}
export class Callback22 extends Callback {}
