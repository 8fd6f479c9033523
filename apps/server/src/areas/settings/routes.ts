import { type ConfigForm, configsV1 } from '@tocsin/contract/compat/config'
import { type ConfigRow, configs } from '@tocsin/contract/settings/config'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { exportRoutes } from '#areas/audit/export-routes'
import {
  configExport,
  configPage,
  createConfig,
  deleteConfig,
  getConfig,
  refreshConfig,
  updateConfig,
} from './config.ts'
import { getPublicSetting } from '#settings/settings-cache'

const formOf = ({ id, name, key, value, remark }: ConfigRow): ConfigForm => ({
  id,
  configName: name,
  configKey: key,
  configValue: value,
  remark,
})

type Deps = { db: Db; keys: { setting: Uint8Array } }

const v1Routes = ({ db, keys }: Deps): Route[] => [
  route(configsV1.page, async ({ query }) => {
    const { list, ...counted } = await configPage(db, query)
    return { list: list.map(formOf), ...counted }
  }),
  route(configsV1.form, async ({ params }) => formOf(await getConfig(db, params.id))),
  route(configsV1.create, ({ body: { configName, configKey, configValue, remark }, caller }) =>
    createConfig(
      db,
      { category: 'custom', name: configName, key: configKey, value: configValue, visible: true, remark },
      caller,
    ),
  ),
  route(configsV1.update, async ({ params, body, caller }) => {
    const { configName: name, configKey: key, configValue: value, remark } = body
    await updateConfig(db, keys.setting, { id: params.id, name, key, value, remark }, caller)
    return null
  }),
  route(configsV1.delete, async ({ params, caller }) => {
    await deleteConfig(db, params.id, caller)
    return null
  }),
]

export const configRoutes = ({ db, keys }: Deps): Route[] => [
  route(configs.page, ({ query }) => configPage(db, query)),
  route(configs.get, ({ query }) => getConfig(db, query.id)),
  route(configs.valueByKey, ({ query }) => getPublicSetting(db, query.key)),
  route(configs.create, ({ body, caller }) => createConfig(db, body, caller)),
  route(configs.update, ({ body, caller }) => updateConfig(db, keys.setting, body, caller)),
  route(configs.delete, ({ query, caller }) => deleteConfig(db, query.id, caller)),
  route(configs.refresh, ({ caller }) => refreshConfig(db, caller)),
  ...exportRoutes(db, configExport),
  ...v1Routes({ db, keys }),
]
