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

/** Available while `site.demo` is on. */
export const demoRoutes = ({ db }: { db: Db }): Route[] =>
  onlyWhenDemo(db, [
    route(demoItems.page, ({ query, actor }) => itemPage(db, actor, query)),
    route(demoItems.get, ({ query, actor }) => getItem(db, actor, query.id)),
    route(demoItems.create, ({ body, caller }) => createItem(db, body, caller)),
    route(demoItems.update, ({ body, caller }) => updateItem(db, body, caller)),
    route(demoItems.delete, ({ query, caller }) => deleteItems(db, [query.id], caller)),
    route(demoItems.deleteList, ({ query, caller }) => deleteItems(db, query.ids, caller)),
    route(demoItems.import, ({ files, caller }) => importItems(db, files.file[0], caller)),
    route(demoItems.template, ({ query }) => itemTemplate(db, query.lang)),
    ...exportRoutes(db, demoExport),
    route(demoTexts.get, ({ actor }) => getText(db, actor)),
    route(demoTexts.update, ({ body, caller }) => saveText(db, body, caller)),
    route(demoSignatures.get, ({ actor }) => getSignature(db, actor)),
    route(demoSignatures.update, ({ body, caller }) => saveSignature(db, body, caller)),
    route(demoUploads.create, ({ files: { file }, caller }) =>
      uploadFile(db, { file: file[0], purpose: 'DRAFT', who: caller }),
    ),
    route(demoTalks.list, ({ actor }) => talkList(db, actor)),
    route(demoTalks.people, ({ actor }) => talkPeople(db, actor)),
    route(demoTalks.here, ({ actor }) => joinTalk(db, actor)),
    route(demoTalks.gone, ({ actor }) => leaveTalk(db, actor)),
    route(demoTalks.send, ({ body, caller }) => sendTalk(db, body, caller)),
  ])
