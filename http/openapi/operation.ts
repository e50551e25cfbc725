/** An operation of the description; `Schema` is the JSON Schema that its writer or reader knows, `Answer` a response. */

export interface Parameter<Schema> {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: true;
  description: string;
  schema: Schema;
  example?: unknown;
}

export interface Media<Schema> {
  schema: Schema;
  example?: unknown;
}

export interface Operation<Schema, Answer> {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter<Schema>[];
  requestBody?: { required: true; content: Record<string, Media<Schema>> };
  responses: Record<string, Answer>;
  security: Record<string, string[]>[];
}
