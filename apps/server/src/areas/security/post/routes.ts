import { headcounts } from '@tocsin/contract/security/headcount'
import { securityPosts } from '@tocsin/contract/security/post'
import { exportRoutes } from '#areas/audit/export-routes'
import { importRoutes } from '#areas/files/import/routes'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { loadHeadcountRules, pageCompliance } from '../headcount.ts'
import { complianceExport } from '../headcount-export.ts'
import { createPost, deletePost, generatePosts, updatePost } from './post-edit.ts'
import { postImporter } from './post-importer.ts'
import { getCheckCode, getPost, listPostOptions, pagePosts, postExport } from './post-reads.ts'

export const postRoutes = ({ db }: { db: Db }): Route[] => [
  route(securityPosts.page, ({ query, actor }) => pagePosts(db, actor, query)),
  route(securityPosts.get, ({ query, actor }) => getPost(db, actor, query.id)),
  route(securityPosts.simpleList, ({ query, actor }) => listPostOptions(db, actor, query.schoolId)),
  route(securityPosts.checkCode, ({ query, actor }) => getCheckCode(db, actor, query.id)),
  route(securityPosts.create, ({ body, caller }) => createPost(db, body, caller)),
  route(securityPosts.generate, ({ body, caller }) => generatePosts(db, body.schoolId, caller)),
  route(securityPosts.update, ({ body, caller }) => updatePost(db, body, caller)),
  route(securityPosts.delete, ({ query, caller }) => deletePost(db, query.id, caller)),
  route(headcounts.compliance, ({ query, actor }) => pageCompliance(db, actor, query)),
  route(headcounts.rules, () => loadHeadcountRules(db)),
  ...exportRoutes(db, postExport),
  ...exportRoutes(db, complianceExport),
  ...importRoutes(db, postImporter),
]
