import { type ConfigForm, configsV1 } from '@tocsin/contract/compat/config'
import { type ConfigRow, configs } from '@tocsin/contract/settings/config'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { addRoutes } from '#areas/audit/entity/entity'
import { configEntity, refreshConfig } from './config.ts'
import { getPublicSetting } from '#settings/settings-cache'

const formOf = ({ id, name, key, value, remark }: ConfigRow): ConfigForm => ({
  id,
  configName: name,
  configKey: key,
  configValue: value,
  remark,
})

type Deps = { db: Db; keys: { setting: Uint8Array } }

const v1Routes = (deps: Deps): Route[] => [
  route(configsV1.page, async ({ query, actor }) => {
    const { list, ...counted } = await configEntity.page(deps.db, actor, query)
    return { list: list.map(formOf), ...counted }
  }),
  route(configsV1.form, async ({ params, actor }) => formOf(await configEntity.get(deps.db, actor, params.id))),
  route(configsV1.create, ({ body: { configName: name, configKey: key, configValue: value, remark }, caller }) =>
    configEntity.create(deps, caller, { category: 'custom', name, key, value, visible: true, remark }),
  ),
  route(configsV1.update, async ({ params, body, caller }) => {
    const { configName: name, configKey: key, configValue: value, remark } = body
    await configEntity.update(deps, caller, { id: params.id, name, key, value, remark })
    return null
  }),
  route(configsV1.delete, async ({ params, caller }) => {
    await configEntity.delete(deps, caller, [params.id])
    return null
  }),
]

const moreRoutes = ({ db, keys }: Deps): Route[] => [
  route(configs.valueByKey, ({ query }) => getPublicSetting(db, query.key)),
  route(configs.refresh, ({ caller }) => refreshConfig(db, caller)),
  ...v1Routes({ db, keys }),
]

export const configurations = addRoutes(configEntity, moreRoutes)
