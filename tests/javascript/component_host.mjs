// Functions of JavaScript for a component: the interface that it imports.
class Callback {
  constructor(call) {
    this.call = call;
  }
}
export class CallbackS32ToS32 extends Callback {}
export class CallbackStringListStringToListString extends Callback {}
export class CallbackStringToString extends Callback {}
export class CallbackOptionS32BoolToOptionString extends Callback {}
export class CallbackS32ToNone extends Callback {}
export class CallbackS32S32S32S32S32S32S32X7469e44d extends Callback {}
