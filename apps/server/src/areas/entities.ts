import type { ServedEntity } from './audit/entity/entity.ts'
import type { AuthDeps } from './access/sign-in/deps.ts'
import { modelEntity } from './device/model.ts'
import { noticeCalls } from './notices/routes.ts'
import { dictEntries, dictionaries } from './settings/dict/routes.ts'
import { configurations } from './settings/routes.ts'

/** The entities that are one declaration each, in area order: their calls and exports. */
export const entities: readonly ServedEntity<AuthDeps>[] = [
  dictionaries,
  dictEntries,
  configurations,
  noticeCalls,
  modelEntity,
]
