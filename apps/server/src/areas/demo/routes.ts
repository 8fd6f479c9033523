import { demoItems } from '@tocsin/contract/demo/item'
import { demoSignatures } from '@tocsin/contract/demo/signature'
import { demoTalks } from '@tocsin/contract/demo/talk'
import { demoTexts } from '@tocsin/contract/demo/text'
import { demoUploads } from '@tocsin/contract/demo/upload'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { exportRoutes } from '#areas/audit/export-routes'
import { uploadFile } from '#areas/files/change'
import { createItem, deleteItems, getItem, itemPage, updateItem } from './item.ts'
import { demoExport, importItems, itemTemplate } from './item-spreadsheet.ts'
import { onlyWhenDemo } from '#areas/settings/demo-switch'
import { getSignature, saveSignature } from './signature.ts'
import { leaveTalk, sendTalk, joinTalk, talkList, talkPeople } from './talk.ts'
import { getText, saveText } from './text.ts'

/** Served while `site.demo` is on. */
export const demoRoutes = ({ db }: { db: Db }): Route[] =>
  onlyWhenDemo(db, [
    route(demoItems.page, ({ query, actor }) => itemPage(db, actor, query)),
    route(demoItems.get, ({ query, actor }) => getItem(db, actor, query.id)),
    route(demoItems.create, ({ body, actor, origin }) => createItem(db, body, { actor, origin })),
    route(demoItems.update, ({ body, actor, origin }) => updateItem(db, body, { actor, origin })),
    route(demoItems.delete, ({ query, actor, origin }) => deleteItems(db, [query.id], { actor, origin })),
    route(demoItems.deleteList, ({ query, actor, origin }) => deleteItems(db, query.ids, { actor, origin })),
    route(demoItems.import, ({ files, actor, origin }) => importItems(db, files.file[0], { actor, origin })),
    route(demoItems.template, ({ query }) => itemTemplate(db, query.lang)),
    ...exportRoutes(db, demoExport),
    route(demoTexts.get, ({ actor }) => getText(db, actor)),
    route(demoTexts.update, ({ body, actor, origin }) => saveText(db, body, { actor, origin })),
    route(demoSignatures.get, ({ actor }) => getSignature(db, actor)),
    route(demoSignatures.update, ({ body, actor, origin }) => saveSignature(db, body, { actor, origin })),
    route(demoUploads.create, ({ files: { file }, actor, origin }) =>
      uploadFile(db, { file: file[0], purpose: 'DRAFT', who: { actor, origin } }),
    ),
    route(demoTalks.list, ({ actor }) => talkList(db, actor)),
    route(demoTalks.people, ({ actor }) => talkPeople(db, actor)),
    route(demoTalks.here, ({ actor }) => joinTalk(db, actor)),
    route(demoTalks.gone, ({ actor }) => leaveTalk(db, actor)),
    route(demoTalks.send, ({ body, actor, origin }) => sendTalk(db, body, { actor, origin })),
  ])
