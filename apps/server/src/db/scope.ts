import {
  AndNode,
  type DeleteQueryNode,
  type FromNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  type MergeQueryNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type SelectQueryNode,
  sql,
  type UpdateQueryNode,
  WhereNode,
} from 'kysely'
import { AliasNode, IdentifierNode, TableNode } from 'kysely'
import type { AllTablesDb, Db, UnscopedDb } from './db.ts'
import { tables } from './tables.ts'
import type { VisibilityColumns } from './tables/table.ts'

/**
 * The rows a user can see: sets of departments and schools (DESIGN 5), and the user's own rows. 'all' means every
 * department and school.
 */
export type Visibility = { userId: number; depts: 'all' | readonly number[]; schools: 'all' | readonly number[] }

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** Scoped tables by their SQL name. */
const scopedTables = new Map<string, Exclude<VisibilityColumns, 'open'>>(
  Object.entries(tables).flatMap(([name, { sight }]) => (sight === 'open' ? [] : [[snake(name), sight] as const])),
)

const predicate = (columns: Exclude<VisibilityColumns, 'open'>, alias: string, sight: Visibility): OperationNode => {
  const ways = [
    columns.school && sql`${sql.ref(`${alias}.${columns.school}`)} = any(${sight.schools})`,
    columns.dept && sql`${sql.ref(`${alias}.${columns.dept}`)} = any(${sight.depts})`,
    columns.user && sql`${sql.ref(`${alias}.${columns.user}`)} = ${sight.userId}`,
  ].filter((way) => way !== undefined)
  return sql`(${sql.join(ways, sql` or `)})`.toOperationNode()
}

/** The scoped table that a FROM or JOIN item refers to, under its alias. */
const scopedItem = (
  item: OperationNode,
): { columns: Exclude<VisibilityColumns, 'open'>; alias: string } | undefined => {
  const inner = AliasNode.is(item) ? item.node : item
  if (!TableNode.is(inner)) return undefined
  const name = inner.table.identifier.name
  const columns = scopedTables.get(name)
  if (!columns) return undefined
  const alias = AliasNode.is(item) && IdentifierNode.is(item.alias) ? item.alias.name : name
  return { columns, alias }
}

const both = (a: OperationNode | undefined, b: OperationNode): OperationNode => (a ? AndNode.create(a, b) : b)

/**
 * Adds the visibility predicate of the actor to every read or write of a scoped table: to WHERE for FROM items,
 * targets and rows
 * that an insert conflicts with, to ON for joins. Rejects joins that would keep rows without their partner's predicate,
 * and MERGE.
 */
class SightTransformer extends OperationNodeTransformer {
  readonly #sight: Visibility
  constructor(sight: Visibility) {
    super()
    this.#sight = sight
  }

  #limit(where: WhereNode | undefined, items: readonly OperationNode[]): WhereNode | undefined {
    return items.reduce<WhereNode | undefined>((limited, item) => {
      const found = scopedItem(item)
      if (!found) return limited
      return WhereNode.create(both(limited?.where, predicate(found.columns, found.alias, this.#sight)))
    }, where)
  }

  #with<N extends { where?: WhereNode }>(node: N, items: readonly OperationNode[]): N {
    const where = this.#limit(node.where, items)
    return where ? { ...node, where } : node
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return this.#with(super.transformSelectQuery(node), node.from?.froms ?? [])
  }

  protected override transformInsertQuery(node: InsertQueryNode): InsertQueryNode {
    const inserted = super.transformInsertQuery(node)
    const { onConflict, into } = inserted
    if (!onConflict?.updates || !into) return inserted
    const updateWhere = this.#limit(onConflict.updateWhere, [into])
    return updateWhere ? { ...inserted, onConflict: { ...onConflict, updateWhere } } : inserted
  }

  protected override transformMergeQuery(node: MergeQueryNode): MergeQueryNode {
    const tables = [node.into, ...(node.using ? [node.using.table] : [])]
    if (tables.some(scopedItem)) throw new Error('a scoped table cannot be merged')
    return super.transformMergeQuery(node)
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    return this.#with(super.transformUpdateQuery(node), [...(node.table ? [node.table] : []), ...froms(node.from)])
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    return this.#with(super.transformDeleteQuery(node), [...node.from.froms, ...(node.using?.tables ?? [])])
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    const joined = super.transformJoin(node)
    const found = scopedItem(node.table)
    if (!found) return joined
    if (node.joinType !== 'InnerJoin' && node.joinType !== 'LeftJoin')
      throw new Error(`a scoped table cannot be joined by ${node.joinType}`)
    return { ...joined, on: OnNode.create(both(joined.on?.on, predicate(found.columns, found.alias, this.#sight))) }
  }
}

const froms = (from: FromNode | undefined): readonly OperationNode[] => from?.froms ?? []

const sightPlugin = (sight: Visibility): KyselyPlugin => {
  const transformer = new SightTransformer(sight)
  return {
    transformQuery: (args: PluginTransformQueryArgs) => transformer.transformNode(args.node),
    transformResult: async (args: PluginTransformResultArgs) => args.result,
  }
}

// These are the only two casts from the default handle. Both name why all tables become reachable.

/** All tables, limited to the user's visibility. Raw SQL that names a scoped table is not limited: do not write it. */
export const scoped = (db: Db, sight: Visibility): AllTablesDb => {
  const all = db as unknown as AllTablesDb
  return sight.depts === 'all' ? all : all.withPlugin(sightPlugin(sight))
}

/** All tables without limit, for code that acts for no user. A test about the repository prints the reason. */
export const unscoped = (db: Db, _reason: string): UnscopedDb => db as unknown as UnscopedDb
